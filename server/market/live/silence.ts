/** A stream said nothing for too long. */
export class Silence extends Error {
  override readonly name = 'Silence';
}

/** A message of a book is missing, and the library did not see it. */
export class Gap extends Error {
  override readonly name = 'Gap';
}

/** The next message of a stream. @throws Silence when none comes within `ms` */
export async function beforeSilence<T>(message: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Silence()), ms);
  });
  // What was given up on may still fail.
  message.catch(() => undefined);
  return Promise.race([message, silence]).finally(() => clearTimeout(timer));
}
