import { openProduct } from '../support/browser';
import { loadedBy, PAGES, weightOf } from '../support/pageBytes';
import type { Figure } from './figure';

/** Bytes of JavaScript and CSS, gzip and brotli, that the first visit of each kind of page loads. */
export async function pageFigures(): Promise<Figure[]> {
  const product = await openProduct();
  const figures: Figure[] = [];
  try {
    for (const { name, path, budgetKb, who } of PAGES) {
      const context = await product.contextOf(who);
      const loaded = await loadedBy(context, product.url + path);
      await context.close();
      for (const kind of ['js', 'css'] as const) {
        for (const encoding of ['brotli', 'gzip'] as const) {
          const kb = weightOf(loaded, kind, encoding);
          const isBudget = kind === 'js' && encoding === 'brotli';
          figures.push({
            name: `page ${name}: ${kind} ${encoding}`,
            value: Math.round(kb * 10) / 10,
            unit: 'kB',
            ...(isBudget ? { ratio: Math.round((kb / budgetKb) * 1000) / 1000 } : {}),
          });
        }
      }
    }
  } finally {
    await product.close();
  }
  return figures;
}
