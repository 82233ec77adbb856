import { silent } from './faults.ts'

/** Something in front of a database may take connections and drop them: the driver would try again for ever. */
export async function within<Answer>(
  ms: number,
  answer: Promise<Answer>,
  noteLate = () => {},
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(silent())
      noteLate()
    }, ms)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
