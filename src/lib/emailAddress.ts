const pattern = /^[^\s@<>()[\]\\,;:"\p{C}]+@[^\s@<>()[\]\\,;:"\p{C}]+$/u;

/** Is it one e-mail address, and nothing that a mail program could read as more? Whether it exists is found out by writing to it. */
export const isEmailAddress = (text: string): boolean => pattern.test(text);
