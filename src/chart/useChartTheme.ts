import { theme } from 'antd';
import { useEffect, useMemo, useState } from 'react';
import { useAppearance } from '@/components/useAppearance';
import type { CurveColor } from './curve';

export interface ChartTheme {
  text: string;
  grid: string;
  border: string;
  surface: string;
  font: string;
  color: Record<CurveColor, string>;
}

interface Habit {
  up: string;
  down: string;
}

function readHabit(): Habit {
  const style = getComputedStyle(document.documentElement);
  return { up: style.getPropertyValue('--up').trim(), down: style.getPropertyValue('--down').trim() };
}

/** A canvas knows no CSS variables: they are read, and read again whenever the root element is changed. */
function useHabit(): Habit {
  const [habit, setHabit] = useState(readHabit);
  useEffect(() => {
    const read = () =>
      setHabit((old) => {
        const now = readHabit();
        return now.up === old.up && now.down === old.down ? old : now;
      });
    const observer = new MutationObserver(read);
    observer.observe(document.documentElement, { attributes: true });
    read();
    return () => observer.disconnect();
  }, []);
  return habit;
}

/** Colours of a chart by antd's tokens and the viewer's colour habit; changes with both. */
export function useChartTheme(): ChartTheme {
  const { token } = theme.useToken();
  const { dark } = useAppearance();
  const { up, down } = useHabit();
  return useMemo(
    () => ({
      text: token.colorTextSecondary,
      grid: token.colorFillSecondary,
      border: token.colorBorderSecondary,
      surface: token.colorBgElevated,
      font: token.fontFamily,
      color: {
        // On a dark ground the colours that stand on a light one are too dark to be read as words.
        blue: (dark ? token.blue7 : token.blue6) ?? token.blue,
        orange: (dark ? token.orange7 : token.orange6) ?? token.orange,
        purple: (dark ? token.purple8 : token.purple6) ?? token.purple,
        cyan: (dark ? token.cyan7 : token.cyan6) ?? token.cyan,
        gold: (dark ? token.gold7 : token.gold6) ?? token.gold,
        magenta: (dark ? token.magenta7 : token.magenta6) ?? token.magenta,
        muted: token.colorTextTertiary,
        up: up || token.colorSuccess,
        down: down || token.colorError,
      },
    }),
    [token, dark, up, down],
  );
}
