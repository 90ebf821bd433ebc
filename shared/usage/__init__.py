"""What a workspace uses: counted once, shown, and kept within its plan and quotas."""
