// A look for a text reads that of every element, again with each change of the page: Testing Library's own way through
// jsdom's lists of children takes a twentieth of the time of a page test.
const TEXT_NODE = 3;

exports.getNodeText = (node) => {
  if (node.localName === 'input' && node.matches('[type=submit], [type=button], [type=reset]')) return node.value;
  let text = '';
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.nodeType === TEXT_NODE) text += child.data;
  }
  return text;
};
