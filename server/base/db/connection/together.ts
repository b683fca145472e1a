/**
 * Statements of one transaction that do not wait for each other's answers, in any order: a row that another refers to is
 * written before.
 * @throws what the first of them threw that failed, once all are answered: none is sent after the transaction has ended.
 */
export async function together(...statements: PromiseLike<unknown>[]): Promise<void> {
  const answers = await Promise.allSettled(statements);
  const failed = answers.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
