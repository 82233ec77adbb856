/** What says which version this is. */
export interface Told {
  /** That of package.json, which is right. */
  readonly version: string
  readonly lock: string
  readonly manifest: string
  readonly changelog: string
  /** As a release is tagged; undefined for a trial. */
  readonly tag: string | undefined
  /** Of the sources, as the program names it. */
  readonly commit: string
}

/** @returns what does not name the version, and what to do */
export function findVersionFaults(told: Told): string[] {
  const { version, lock, manifest, changelog, tag, commit } = told
  const is = `package.json has version ${version}`
  const [, heading = '', state = ''] = /^## (\S+?)(?:, (.+))?$/m.exec(changelog) ?? []
  return [
    ...(lock === version
      ? []
      : [`${is}, package-lock.json has ${lock}: npm install --package-lock-only.`]),
    ...(manifest === version
      ? []
      : [`${is}, oclif.manifest.json has ${manifest}: npm run check:manifest.`]),
    ...(heading === version
      ? []
      : [
          `${is}, the first heading of CHANGELOG.md is "${heading}": begin a part "## ${version}, unreleased".`,
        ]),
    ...(tag === undefined ? [] : findTagFaults({ version, commit, state, tag })),
  ]
}

interface Tagged {
  readonly version: string
  readonly commit: string
  readonly state: string
  readonly tag: string
}

function findTagFaults({ version, commit, state, tag }: Tagged): string[] {
  return [
    ...(/^[0-9a-f]+$/.test(commit)
      ? []
      : [`The sources are at commit ${commit}: release from a checkout with nothing to commit.`]),
    ...(tag === `v${version}`
      ? []
      : [
          `The tag is ${tag}, package.json has version ${version}: tag v${version}, or npm version.`,
        ]),
    ...(/^\d{4}-\d\d-\d\d$/.test(state)
      ? []
      : [`CHANGELOG.md has "${state}" where a release has its day: "## ${version}, yyyy-mm-dd".`]),
  ]
}
