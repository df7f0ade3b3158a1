"""What tests of facts share."""

from one_list import found

__all__ = ["found"]
