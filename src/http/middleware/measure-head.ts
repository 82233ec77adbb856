import type { Middleware } from 'h3'

/** RFC 9110 9.3.2: HEAD tells the Content-Length that GET would have. h3 drops the body before JSON is measured. */
export function measureHead(): Middleware {
  return async (event, next) => {
    const answer = await next()
    if (isJson(answer)) {
      const bytes = Buffer.byteLength(JSON.stringify(answer))
      event.res.headers.set('content-length', String(bytes))
    }
    return answer
  }
}

/** What is no plain object has been made into bytes by its route. */
function isJson(answer: unknown): boolean {
  return typeof answer === 'object' && answer?.constructor === Object
}
