"""The state of one sitting, free of Qt (floor 6)."""
