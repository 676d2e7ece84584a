/** A packed genesis, as esbuild's binary loader and the tests' plugin import it. */
declare module "*.genesis.br" {
  const bytes: Uint8Array
  // biome-ignore lint/style/noDefaultExport: what both of them export
  export default bytes
}
