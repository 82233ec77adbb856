// Writes the types of the modules in the npm package, each in one file that needs no other package.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generateDtsBundle } from 'dts-bundle-generator'
import { bundle } from '../../bin/run-bundle.js'
import { exportedModules } from './bundle.ts'

const inlinedLibraries = ['openapi-fetch', 'openapi-typescript-helpers']

const declarations = generateDtsBundle(
  exportedModules.map((name) => ({
    filePath: `src/tools/${name}.ts`,
    libraries: { inlinedLibraries },
    output: { noBanner: true, exportReferencedTypes: false },
  })),
  { preferredConfigPath: 'tsconfig.json' },
)
for (const [index, name] of exportedModules.entries()) {
  // The same types for `import` and for `require`.
  for (const ending of ['d.ts', 'd.cts'])
    writeFileSync(join(dirname(bundle), `${name}.${ending}`), declarations[index] ?? '')
}
