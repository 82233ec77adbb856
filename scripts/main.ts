// `tsx scripts/main.ts NAME` runs a script of package.json. Modules are loaded when they are needed,
// because some take seconds. Tests import the same functions.

/** @returns a line for each fault */
type Script = () => Promise<readonly string[]>

const scripts: Readonly<Record<string, Script>> = {
  'check:imports': async () => {
    const { findCircles, findForbiddenImports, findMachineUses } = await import(
      './check/imports.ts'
    )
    return [
      ...findForbiddenImports('.').map(
        (line) => `ARCHITECTURE.md does not allow this import: ${line}`,
      ),
      ...findMachineUses('.').map(
        (line) => `This code uses the machine without src/machine/: ${line}`,
      ),
      ...findCircles('.').map((line) => `These files import each other: ${line}`),
    ]
  },
  'check:words': async () => (await import('./check/words.ts')).findPhrases(),
  'check:links': async () => (await import('./check/links.ts')).findDeadLinks(),
  'check:log': async () => (await import('./check/log-page.ts')).findLogFaults(),
  'check:deploy': async () => (await import('./check/deploy.ts')).findDeployFaults(),
  'check:planted': async () => (await import('../sim/planted.ts')).findUnplantable(),
  'check:spec': async () => {
    const { findTraceFaults, readTrace } = await import('./check/trace.ts')
    const trace = readTrace('.')
    const count = trace.sections.reduce((sum, { entries }) => sum + entries.length, 0)
    const faults = findTraceFaults(trace)
    if (faults.length === 0) console.log(`${count} promises and decisions have tests.`)
    return faults
  },
  trace: async () => {
    const { findTraceFaults, readTrace, renderTrace } = await import('./check/trace.ts')
    const trace = readTrace('.')
    console.log(renderTrace(trace))
    return findTraceFaults(trace)
  },
  'test:packages': async () => {
    const { installPackages } = await import('./test/packages.ts')
    installPackages()
    return []
  },
  'check:manifest': async () => (await import('./reference/pages.ts')).renewManifest(),
  'check:help': async () => (await import('./reference/pages.ts')).renewPages(),
  'check:contract': async () => (await import('./contract/renew.ts')).findContractFaults(),
  contract: async () => {
    await (await import('./contract/renew.ts')).renewContract()
    return []
  },
  'contract:examples': async () => {
    await (await import('./contract/renew.ts')).writeExamples()
    return []
  },
}

const name = process.argv[2] ?? ''
const script = scripts[name]
const known = Object.keys(scripts).join(', ')
const faults = (await script?.()) ?? [`There is no script "${name}". These exist: ${known}.`]
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
