/** Node's own `import()`: Umi rewrites the one in its mock files to a `require`. */
module.exports = (specifier) => import(specifier);
