/** The database that those of tests are copies of. */
export const TEMPLATE = 'template_of_tests';
