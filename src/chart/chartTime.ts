import { TickMarkType, type Time, type UTCTimestamp } from 'lightweight-charts';
import { DAY_MS } from '#contract/duration';
import { formatDateTime } from '@/components/DateTime';
import { offsetAt } from '@/components/timeZone';

/** Bars of a day or more begin at 00:00 UTC everywhere, whatever the viewer's clock says. */
function isDaily(time: readonly number[]): boolean {
  const first = time[0] ?? 0;
  const last = time[time.length - 1] ?? 0;
  if (first === 0 || first % DAY_MS !== 0 || last % DAY_MS !== 0) return false;
  return time.length === 1 || (last - first) / (time.length - 1) >= DAY_MS;
}

/**
 * The chart thinks in UTC seconds. To have its days begin at the viewer's midnight, instants are moved by that time zone;
 * the offset of the newest point serves all, because a clock put back would give one instant twice. Daily bars are UTC
 * days and stay where they are.
 */
export class ChartTime {
  private readonly shiftMs: number;
  private readonly daily: boolean;
  /** The instant of the last point where no bar begins or ends at it. */
  private readonly present: number | null;

  /**
   * @param time instants of the chart, UTC ms ascending.
   * @param forming the last one is of a bar that has not closed.
   */
  constructor(time: readonly number[], forming = false) {
    const last = time[time.length - 1];
    this.daily = isDaily(forming ? time.slice(0, -1) : time);
    this.present = forming && last !== undefined && last % DAY_MS !== 0 ? last : null;
    this.shiftMs = this.daily || last === undefined ? 0 : offsetAt(last);
  }

  /** UTC ms to the chart's own time. */
  toChart(ms: number): UTCTimestamp {
    return ((ms + this.shiftMs) / 1000) as UTCTimestamp;
  }

  /** The chart's own time to UTC ms. */
  toMs(time: Time): number {
    return Number(time) * 1000 - this.shiftMs;
  }

  /** The day of a daily bar, else local date and time of day. */
  label = (time: Time): string => this.labelOf(this.toMs(time));

  labelOf(ms: number): string {
    if (!this.daily) return formatDateTime(ms);
    return ms === this.present ? `${formatDateTime(ms, 'minute', true)} UTC` : formatDateTime(ms, 'day', true);
  }

  /** Text under a tick of the time axis. */
  tick = (time: Time, kind: TickMarkType): string => {
    const at = new Date(Number(time) * 1000);
    if (kind === TickMarkType.Year) return `${at.getUTCFullYear()}年`;
    if (kind === TickMarkType.Month) return `${at.getUTCMonth() + 1}月`;
    if (kind === TickMarkType.DayOfMonth) return `${at.getUTCMonth() + 1}-${two(at.getUTCDate())}`;
    // The present among days is no place of its own on the axis.
    if (this.daily) return '';
    return `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`;
  };
}

const two = (value: number) => String(value).padStart(2, '0');
