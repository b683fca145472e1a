// jsdom draws nothing and complains about being asked to; the chart lives with a canvas that has no context.
HTMLCanvasElement.prototype.getContext = () => null;
// The standalone build is a script that leaves its exports on the window; jest wants a module.
require('../../node_modules/lightweight-charts/dist/lightweight-charts.standalone.production.js');
module.exports = window.LightweightCharts;
