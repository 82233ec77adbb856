// `npm run build` builds the program, unless it was built from the same sources before.
import {
  findChange,
  isOfCommit,
  readSources,
  removeBuildRecord,
  writeBuildRecord,
} from './build-record.ts'

const sources = await readSources()
if ((await findChange(sources)) !== undefined || !(await isOfCommit(sources))) {
  await removeBuildRecord()
  // The bundler is loaded only if it is needed, because that takes longer than the comparison.
  const { buildProgram } = await import('./whole-program.ts')
  await buildProgram(sources.commit)
  await writeBuildRecord(sources)
}
