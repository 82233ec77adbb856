export const guidePath = '/guide/'

/** The insides of a page, which `scripts/build/guide` makes from a document. They are HTML, except for `title`. */
export interface GuidePage {
  /** Below `guidePath`. */
  readonly path: string
  readonly section: string
  readonly title: string
  readonly heading: string
  readonly parts: readonly { readonly anchor: string; readonly heading: string }[]
  readonly body: string
}
