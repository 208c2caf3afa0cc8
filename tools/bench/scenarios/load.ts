import autocannon from 'autocannon'

export interface LoadResult {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly count: number
  /** Number of responses that were not 2xx, to detect a run that measured errors. */
  readonly not2xx: number
}

export interface Load {
  readonly url: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Record<string, string>
  readonly connections?: number
  /** Seconds, or a fixed number of requests. */
  readonly seconds?: number
  readonly requests?: number
  /** Path and body of the n-th request. */
  readonly next?: (n: number) => {
    readonly path: string
    readonly body: string
    readonly headers?: Record<string, string>
  }
}

/** Sends requests over keep-alive connections and counts the responses. */
export async function load(spec: Load): Promise<LoadResult> {
  const { url, method = 'GET', headers = {}, connections = 32, seconds = 3, requests, next } = spec
  let sent = 0
  const options: autocannon.Options = {
    url,
    method,
    headers,
    connections,
    ...(requests === undefined ? { duration: seconds } : { amount: requests }),
  }
  if (next) {
    options.requests = [
      {
        setupRequest: (request) => {
          const made = next(sent++)
          return {
            ...request,
            path: made.path,
            body: made.body,
            headers: { ...request.headers, ...made.headers },
          }
        },
      },
    ]
  }
  const started = process.hrtime.bigint()
  const result = await autocannon(options)
  const elapsed = Number(process.hrtime.bigint() - started) / 1e9
  const count = result.requests.total
  return {
    // A run with a fixed number of requests ends between the generator's samples, which are one second apart,
    // so its average would be inaccurate.
    perSecond: requests === undefined ? result.requests.average : count / elapsed,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    count,
    not2xx: result.non2xx,
  }
}
