let known: Promise<Set<string>> | undefined;

/** The packaged list, about 49,000 passwords; read at the first registration so that the start need not wait. */
async function load(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}

/** Whether a password is on the list of the commonest ones, whatever its case. */
export async function isCommonPassword(password: string): Promise<boolean> {
  known ??= load();
  return (await known).has(password.toLowerCase());
}
