/** Chinese names of coins, each with its pinyin by syllable. */
const NAMES: Record<string, readonly (readonly [name: string, pinyin: string])[]> = {
  BTC: [
    ['比特币', 'bi te bi'],
    ['大饼', 'da bing'],
  ],
  ETH: [
    ['以太坊', 'yi tai fang'],
    ['以太币', 'yi tai bi'],
  ],
  SOL: [['索拉纳', 'suo la na']],
  BNB: [['币安币', 'bi an bi']],
  ADA: [['艾达币', 'ai da bi']],
  AVAX: [['雪崩', 'xue beng']],
  TRX: [['波场', 'bo chang']],
  DOT: [['波卡', 'bo ka']],
  ATOM: [['阿童木', 'a tong mu']],
  ICP: [['互联网计算机', 'hu lian wang ji suan ji']],
  XRP: [['瑞波币', 'rui bo bi']],
  LTC: [['莱特币', 'lai te bi']],
  BCH: [['比特币现金', 'bi te bi xian jin']],
  XLM: [['恒星币', 'heng xing bi']],
  ETC: [['以太经典', 'yi tai jing dian']],
  DASH: [['达世币', 'da shi bi']],
  CAKE: [['薄饼', 'bao bing']],
  SUSHI: [['寿司', 'shou si']],
  DOGE: [['狗狗币', 'gou gou bi']],
  SHIB: [['柴犬币', 'chai quan bi']],
  PEPE: [['青蛙币', 'qing wa bi']],
  WIF: [['帽子狗', 'mao zi gou']],
  PNUT: [['花生松鼠', 'hua sheng song shu']],
  MOODENG: [['弹跳猪', 'tan tiao zhu']],
  POPCAT: [['弹嘴猫', 'tan zui mao']],
  TRUMP: [['特朗普', 'te lang pu']],
  FARTCOIN: [['放屁币', 'fang pi bi']],
  PENGU: [['胖企鹅', 'pang qi e']],
  WLD: [['世界币', 'shi jie bi']],
  FIL: [['文件币', 'wen jian bi']],
  SAND: [['沙盒', 'sha he']],
  APE: [['猿币', 'yuan bi']],
  XMR: [['门罗币', 'men luo bi']],
  ZEC: [['大零币', 'da ling bi']],
  EOS: [['柚子', 'you zi']],
  VET: [['唯链', 'wei lian']],
  NEO: [['小蚁', 'xiao yi']],
  ONT: [['本体', 'ben ti']],
  QTUM: [['量子链', 'liang zi lian']],
  THETA: [['西塔', 'xi ta']],
  币安人生: [['币安人生', 'bi an ren sheng']],
  我踏马来了: [['我踏马来了', 'wo ta ma lai le']],
};

/** Contracts of so many coins at once: 1000SHIB. */
const MANY = /^10{3,}(?=\D)/;
/** One letter begins too many names. */
const SHORTEST = 2;

/** What a coin is called beside its symbol, lower case: Chinese names, their pinyin in full and by first letters. */
export const namesOf = (base: string): string[] =>
  (NAMES[base.replace(MANY, '')] ?? []).flatMap(([name, pinyin]) => [
    name,
    pinyin.replaceAll(' ', ''),
    pinyin.replace(/(\w)\w* ?/g, '$1'),
  ]);

/** Whether a coin's own name holds the text, or one of its other names begins with it. Case and outer blanks do not count. */
export function isCalled(base: string, text = ''): boolean {
  const wanted = text.trim().toLowerCase();
  if (base.toLowerCase().includes(wanted)) return true;
  return (
    (wanted.length >= SHORTEST || /\P{ASCII}/u.test(wanted)) && namesOf(base).some((name) => name.startsWith(wanted))
  );
}
