/** What antd's ready style sheet has for parts that no screen uses, by the class they begin with. */
export const UNUSED_PARTS = [
  'anchor',
  'calendar',
  'carousel',
  'cascader',
  'collapse',
  // Grids whose columns depend on the width of the window.
  'col-lg',
  'col-md',
  'col-sm',
  'col-xl',
  'col-xs',
  'col-xxl',
  'col-xxxl',
  'color-picker',
  'float-btn',
  'image',
  'list',
  'listy',
  'masonry',
  'mentions',
  'otp',
  'rate',
  'slider',
  'splitter',
  'statistic',
  'steps',
  'tour',
  'transfer',
  'tree-select',
  'upload',
];

/** Rules of unused parts, of writing from right to left, and the tokens of the default theme: ours come at run time. */
const UNUSED = new RegExp(
  `\\.ant-(${UNUSED_PARTS.join('|')})(?![a-z])|-rtl(?![a-z])|\\.css-var-_R_|cssinjs-cache-path`,
);

/** What is in brackets is a condition and may name parts that happen not to be there. */
const isUsed = (selector: string) => !UNUSED.test(selector.replace(/\([^()]*\)/g, ''));

interface Rule {
  selectors: string[];
  remove(): void;
}

interface Sheet {
  source?: { input: { file?: string } };
  walkRules(each: (rule: Rule) => void): void;
}

/** PostCSS: leaves of antd's style sheet what the screens use. */
export const antdStyles = {
  postcssPlugin: 'antd-styles',
  Once(sheet: Sheet) {
    if (!/antd[\\/]dist[\\/]antd\.css$/.test(sheet.source?.input.file ?? '')) return;
    sheet.walkRules((rule) => {
      const used = rule.selectors.filter(isUsed);
      if (used.length === 0) rule.remove();
      else if (used.length < rule.selectors.length) rule.selectors = used;
    });
  },
};
