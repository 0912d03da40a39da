# Character references and line ends, which the standard resolves differently by where they are.

cdef str with_line_feeds(str text):
    """End all lines as the standard has it."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


cdef str not_between_tags(str text):
    """Give a text as the standard has it in values, comments and elements that have no markup."""
    text = with_line_feeds(text)
    return text.replace("\0", "\ufffd") if "\0" in text else text


cdef str decoded_in(str text, str name):
    """Resolve the character references in an element that has no other markup."""
    text = not_between_tags(text)
    if "&" not in text:
        return text
    _, token = tokenize(f"<{name}>{text}")
    return token.data


cdef str decoded(str text):
    """Resolve the character references of a text between tags."""
    text = with_line_feeds(text)
    if "&#" not in text:
        return unescape(text)
    # By number, there are characters that only a tokenizer leaves in.
    (token,) = tokenize(text)
    return token.data
