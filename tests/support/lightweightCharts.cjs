// jsdom draws nothing and complains about being asked to; the chart lives with a context that takes every call and
// draws nothing either. Without any context it throws at the next frame, which a test that waits gets to see.
const BLANK = { width: 0, actualBoundingBoxAscent: 0, actualBoundingBoxDescent: 0 };
function blankContext(canvas) {
  const known = { canvas, measureText: () => BLANK };
  return new Proxy(known, { get: (own, name) => (name in own ? own[name] : () => blankContext(canvas)) });
}
HTMLCanvasElement.prototype.getContext = function getContext() {
  return blankContext(this);
};
// The standalone build is a script that leaves its exports on the window; jest wants a module.
require('../../node_modules/lightweight-charts/dist/lightweight-charts.standalone.production.js');
module.exports = window.LightweightCharts;
