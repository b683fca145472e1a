const MEETS = /(?<=[A-Za-z0-9])(?=\p{Script=Han})|(?<=\p{Script=Han})(?=[A-Za-z0-9])/gu;

/** A sentence that names were put into: a space where Latin letters or digits meet Chinese ones. */
export const spaced = (text: string): string => text.replace(MEETS, ' ');
