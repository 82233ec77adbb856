import pjson from '../../../package.json' with { type: 'json' }

/** Put here by the bundler; not there when the program runs from its sources. */
declare const buildCommit: string | undefined

export interface Build {
  readonly version: string
  /** Which commit of the sources the program was built from, with `+dirty` where they had been changed since. */
  readonly commit: string
}

export const build: Build = {
  version: pjson.version,
  commit: typeof buildCommit === 'string' ? buildCommit : 'unknown',
}
