/** The part of openapi-typescript that is used here. */
declare module 'openapi-typescript' {
  type Tree = readonly object[]

  export default function openapiTS(
    document: object,
    options: { readonly immutable: boolean },
  ): Promise<Tree>
  export function astToString(tree: Tree): string
}
