"""The expression language of `${...}`: tokens, syntax tree, evaluation."""
