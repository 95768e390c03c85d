"""A text file as blocks of whole records: unpacked, in UTF-8, with plain line ends."""
