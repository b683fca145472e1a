/** Why the server, or a command, does not start: one Chinese line for the person who started it, no stack. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal';
}
