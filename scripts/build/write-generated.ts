// `npm run embed` writes the generated modules, for programs that run from the sources.
import { embed } from './embed.ts'

await embed()
