"""Identities of the local cloud: OIDC tokens as Google signs them, and access tokens."""

from infra.local.iam.service import ISSUER, JWKS_PATH, REMOVED_SIGNATURE, SIGN_IN_PATH, Iam, InvalidToken

__all__ = ["ISSUER", "JWKS_PATH", "REMOVED_SIGNATURE", "SIGN_IN_PATH", "Iam", "InvalidToken"]
