/** RFC 9110 12.5.3: codings with weights; one of 0 is refused, and `*` stands for what is not named. */
export function acceptsGzip(acceptEncoding: string): boolean {
  const weights = new Map(acceptEncoding.toLowerCase().split(',').map(readCoding))
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}

function readCoding(text: string): [coding: string, weight: number] {
  const [coding = '', weight = 'q=1'] = text.split(';').map((part) => part.trim())
  return [coding, Number(weight.replace('q=', ''))]
}
