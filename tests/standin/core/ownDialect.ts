import type { Answer, Call, Connection } from '../dialect';
import type { Account } from './account';
import type { ApiKey } from './keys';
import type { OwnStream, OwnStreams } from './ownStreams';
import { Params, type ParamWords } from './params';
import { type Allowance, PublicDialect, type Refusal } from './publicDialect';

/** A question or an order of a customer. Its allowance is one customer's. */
export interface OwnRoute extends Allowance {
  right: 'read' | 'trade';
  /** They are counted apart by this of what is asked. */
  per?: string;
  handle(account: Account, params: Params, key: ApiKey, call: Call): unknown;
}

/** What is asked by name, of which words in braces stand for others: `orders/{id}`. */
const patternOf = (name: string) => new RegExp(`^${name.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

/** An exchange where customers ask, order and listen too. */
export abstract class OwnDialect extends PublicDialect {
  /** By method and by what stands behind the root of the address. */
  protected abstract readonly own: Readonly<Record<string, OwnRoute>>;
  /** Where customers listen; null where they do on the connections of what is public. */
  protected abstract readonly ownPath: string | null;
  /** Who does. */
  protected abstract readonly streams: OwnStreams<OwnStream>;
  protected abstract readonly words: ParamWords;
  /** What a customer is told who asks too often. */
  protected abstract readonly tooManyOwn: Refusal;
  /** Who asks. @throws who may not */
  protected abstract keyOf(call: Call, right: OwnRoute['right']): ApiKey;
  #patterns: [name: string, pattern: RegExp][] | undefined;

  override async answer(call: Call): Promise<Answer> {
    this.#patterns ??= Object.keys(this.own).map((name) => [name, patternOf(name)]);
    const asked = `${call.method} ${decodeURIComponent(call.path.replace(this.root, ''))}`;
    const [name, pattern] = this.#patterns.find((one) => one[1].test(asked)) ?? [];
    if (name === undefined) return super.answer(call);
    const route = this.own[name]!;
    return this.answered(() => {
      const key = this.keyOf(call, route.right);
      const params = new Params(call, this.words, { ...pattern!.exec(asked)!.groups });
      this.charge(name, route, `${key.account} ${route.per ? params.text(route.per) : ''}`, this.tooManyOwn);
      return route.handle(this.exchange.trading.account(key.account), params, key, call);
    });
  }

  override connect(connection: Connection): void {
    if (connection.path !== this.ownPath) super.connect(connection);
    if ([null, connection.path].includes(this.ownPath)) this.streams.serve(connection);
  }

  override tick(): void {
    super.tick();
    this.exchange.trading.tick();
    this.streams.tick();
  }
}
