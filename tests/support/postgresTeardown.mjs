export default async function stopPostgres() {
  await globalThis.stopPostgres?.();
}
