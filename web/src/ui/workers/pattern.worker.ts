import { BEGUN, verdictOf, type PatternTask } from './pattern.ts'

self.addEventListener('message', ({ data }: MessageEvent<PatternTask>) => {
  self.postMessage(BEGUN)
  self.postMessage(verdictOf(data))
})
