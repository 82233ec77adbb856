import { type Manifest, pin, type Version } from './sources.ts'

/** Finds files that do not have the digest in the manifest, and says what to do. */
export function findChanged(directory: string, { versions }: Manifest): string[] {
  return versions.flatMap((version) =>
    listChanged(directory, version).map((name) =>
      version.draft
        ? `src/contract/${name} is stale: npm run contract.`
        : `${name} is not what was published, and that is frozen. Take the change back, or make it in a new version: raise info.version in a copy of ${version.version}.yaml (CONTRIBUTING.md, The contract).`,
    ),
  )
}

export function findBrokenPins(directory: string, { versions, latest }: Manifest): string[] {
  return findChanged(directory, { latest, versions: versions.filter(({ draft }) => !draft) })
}

function listChanged(directory: string, version: Version): string[] {
  const published = new Map(version.files?.map(({ name, sha256 }) => [name, sha256]))
  const pinned = pin(directory, version)
  return pinned.filter(({ name, sha256 }) => published.get(name) !== sha256).map(({ name }) => name)
}
