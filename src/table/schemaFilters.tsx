import { Checkbox } from 'antd';
import { useState } from 'react';
import type { Static, TSchema } from 'typebox';
import { VENUES, type VenueSource, venueName } from '#contract/candle';
import type { Filter } from '#contract/field';
import { CLEARABLE } from '@/components/clearable';
import { formatNumber } from '@/components/formatNumber';
import { NumberInput } from '@/components/NumberInput';
import { SeveralSelect } from '@/components/SeveralSelect';
import { numberCodec, type QueryCodec, usualCodec, wordCodec } from '@/components/useQueryState';
import { useVenues } from '@/services/useVenues';
import { FilterSelect, optionsOf } from './FilterSelect';
import { FoldedFilters } from './FoldedFilters';
import { useTyped } from './useTyped';

/** Filters of a contract's query, by the name that the query has for them. */
export type Filters = Record<string, TSchema>;
/** Null is no filter. */
export type FilterState<F> = { [K in keyof F]: F[K] extends TSchema ? Static<F[K]> | null : never };
type Codec = QueryCodec<unknown, unknown>;

const toldOf = (schema: TSchema) => (schema as TSchema & { 'x-filter': Filter })['x-filter'];

const given = (value: unknown) => value ?? undefined;
const flags = (words: Record<string, boolean>) => ({
  read: (text: string | null) => words[text ?? ''] ?? null,
  write: (value: unknown) => (value === null ? null : value ? '1' : '0'),
  ask: given,
});
const venues = {
  read: (text: string | null) => {
    const named = (text ?? '').split(',').filter((one) => VENUES.some((venue) => venue === one));
    return named.length === 0 ? null : named.join(',');
  },
  write: (value: unknown) => value as string | null,
};

function codecOf(filter: Filter, usual: number | boolean | undefined): Codec {
  const codec = plainCodecOf(filter);
  return usual === undefined ? codec : (usualCodec(codec, usual) as Codec);
}

function plainCodecOf(filter: Filter): Codec {
  if (filter.form === 'bound') return numberCodec(null) as Codec;
  if (filter.form === 'choice') return wordCodec(Object.keys(filter.labels), null) as Codec;
  if (filter.form === 'venue') return wordCodec(VENUES, null) as Codec;
  if (filter.form === 'venues') return venues as Codec;
  return flags(filter.form === 'flag' ? { 1: true } : { 1: true, 0: false }) as Codec;
}

/** What filters are set to until somebody takes them off. */
export type Usual<F> = Partial<Record<keyof F & string, number | boolean>>;

/** How the filters stand in the URL. */
export const filterCodecs = <F extends Filters>(filters: F, usual: Usual<F> = {}) =>
  Object.fromEntries(Object.entries(filters).map(([name, one]) => [name, codecOf(toldOf(one), usual[name])])) as {
    [K in keyof F]: QueryCodec<FilterState<F>[K], Static<F[K]>>;
  };

/** Twelve digits hide what a product of decimals adds. */
const typedOf = (value: number, factor: number) => Number((value / factor).toPrecision(12));

/** What a filter that is set asks of a row, in words. */
export function filterWords(schema: TSchema, value: unknown): string {
  const filter = toldOf(schema);
  switch (filter.form) {
    case 'bound': {
      const typed = typedOf(Number(value), filter.factor);
      const figure = filter.unit === '万' ? formatNumber(typed, { digits: 0 }) : typed;
      return `${filter.prefix} ${figure} ${filter.unit}`;
    }
    case 'choice':
      return `${filter.label}为${filter.labels[String(value)]}`;
    case 'venue':
    case 'venues':
      return `${filter.label}为 ${String(value).split(',').map(venueName).join('、')}`;
    case 'either':
      return filter.labels[value === true ? 0 : 1];
    default:
      return filter.label;
  }
}

const useVenueOptions = () => useVenues().map((value) => ({ value, label: venueName(value) }));

interface VenueFieldProps {
  label: string;
  value: string | null;
  onChange: (value: string | null) => void;
}

function VenueField(props: VenueFieldProps) {
  const { value, ...field } = props;
  return <FilterSelect<VenueSource> {...field} options={useVenueOptions()} value={value as VenueSource | null} />;
}

function VenuesField({ label, value, onChange }: VenueFieldProps) {
  const chosen = VENUES.filter((one) => value?.split(',').includes(one));
  const joined = (words: readonly string[]) => onChange(words.length === 0 ? null : words.join(','));
  return <FilterSeveral {...{ label, options: useVenueOptions(), value: chosen }} onChange={joined} />;
}

interface FilterFieldProps {
  filter: Filter;
  value: unknown;
  /** @param typing whether more of it is to come */
  onChange: (value: unknown, typing?: boolean) => void;
}

function FilterField({ filter, value, onChange }: FilterFieldProps) {
  const { label } = filter;
  switch (filter.form) {
    case 'bound': {
      const { prefix, unit, factor, least, whole } = filter;
      const bound = { label, prefix, suffix: unit, unit: factor, least, whole };
      return <FilterBound {...bound} value={value as number | null} onChange={(next) => onChange(next, true)} />;
    }
    case 'choice':
      return (
        <FilterSelect {...{ label, onChange }} options={optionsOf(filter.labels)} value={value as string | null} />
      );
    case 'venue':
      return <VenueField {...{ label, onChange }} value={value as string | null} />;
    case 'venues':
      return <VenuesField {...{ label, onChange }} value={value as string | null} />;
    case 'either': {
      const options = filter.labels.map((word) => ({ value: word, label: word }));
      const chosen = value === null ? null : filter.labels[value === true ? 0 : 1];
      const pick = (word: string | null) => onChange(word === null ? null : word === filter.labels[0]);
      return <FilterSelect {...{ label, options }} value={chosen} onChange={pick} />;
    }
    default:
      return (
        <Checkbox checked={value === true} onChange={({ target }) => onChange(target.checked || null)}>
          {label}
        </Checkbox>
      );
  }
}

interface SchemaFiltersProps {
  filters: Filters;
  state: object;
  /** @param typing whether more of it is to come */
  onChange: (change: object, typing?: boolean) => void;
}

/** A field for each filter, in their order. */
export function SchemaFilters({ filters, state, onChange }: SchemaFiltersProps) {
  /** What was emptied by hand stays: whoever types into a field does not lose it. */
  const [touched, touch] = useState<readonly string[]>([]);
  const shown = Object.entries(filters).map(([name, one]) => {
    const value = state[name as keyof typeof state] ?? null;
    const set = (next: unknown, typing?: boolean) => {
      if (!touched.includes(name)) touch([...touched, name]);
      onChange({ [name]: next }, typing);
    };
    const field = <FilterField key={name} filter={toldOf(one)} value={value} onChange={set} />;
    return { name, stays: value !== null || touched.includes(name), field };
  });
  return <FoldedFilters filters={shown} more="更多" />;
}

interface FilterSeveralProps<W extends string> {
  label: string;
  options: readonly { value: W; label: string }[];
  /** Empty: no filter. */
  value: readonly W[];
  onChange: (words: W[]) => void;
}

/** Several words of a filter, or none. */
function FilterSeveral<W extends string>({ label, options, value, onChange }: FilterSeveralProps<W>) {
  return (
    <SeveralSelect<W[]>
      allowClear={CLEARABLE}
      showSearch={false}
      maxTagCount="responsive"
      maxTagPlaceholder={(more) => `${more.length} 个`}
      placeholder={label}
      aria-label={`${label}筛选`}
      options={[...options]}
      value={[...value]}
      onChange={onChange}
    />
  );
}

interface FilterBoundProps {
  label: string;
  prefix: string;
  suffix: string;
  /** What one of the typed unit is in the API's. */
  unit?: number;
  least?: number;
  /** Whole numbers of the typed unit only. */
  whole?: boolean;
  value: number | null;
  onChange: (value: number | null) => void;
}

/** A figure that a filter begins or ends at, or none. */
function FilterBound({ label, prefix, suffix, unit = 1, least = 0, whole = false, value, onChange }: FilterBoundProps) {
  const [typed, type] = useTyped(value, onChange);
  // Twelve digits hide what a product of decimals adds.
  const shown = typed === null ? null : Number((typed / unit).toPrecision(12));
  return (
    <NumberInput
      min={least}
      max={1e9}
      precision={whole ? 0 : undefined}
      controls={false}
      prefix={prefix}
      suffix={suffix}
      aria-label={`${label}（${suffix}）`}
      value={shown}
      onChange={(next) => type(next === null ? null : Number((next * unit).toPrecision(12)))}
    />
  );
}
