declare module '*.module.css' {
  /** Class names of the file by the names they have in it. */
  const styles: Record<string, string>;
  export default styles;
}
