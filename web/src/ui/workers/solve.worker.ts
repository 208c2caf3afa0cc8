import { solveProof, type ProofTask } from './solve.ts'

self.addEventListener('message', ({ data }: MessageEvent<ProofTask>) => {
  self.postMessage(solveProof(data))
})
