/** In the place of pro-components' words in other languages. */
export default {};
