/** What says which version this is. */
export interface Told {
  /** That of package.json, which is right. */
  readonly version: string
  readonly lock: string
  readonly manifest: string
  readonly changelog: string
  /** As a release is tagged; undefined for a trial. */
  readonly tag: string | undefined
}

/** @returns what does not name the version, and what to do */
export function findVersionFaults({ version, lock, manifest, changelog, tag }: Told): string[] {
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
    ...(tag === undefined ? [] : findTagFaults(version, state, tag)),
  ]
}

function findTagFaults(version: string, state: string, tag: string): string[] {
  return [
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
