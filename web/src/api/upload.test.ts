import { afterEach, expect, test, vi } from 'vitest'
import { RequestFailure } from './failure.ts'
import { uploadFile } from './upload.ts'

/** A request that gets its response as soon as it is sent. */
function answering(status: number, response: object) {
  return class extends EventTarget {
    readonly upload = new EventTarget()
    readonly status = status
    readonly responseText = JSON.stringify(response)
    open() {}
    setRequestHeader() {}
    abort() {}
    send() {
      this.dispatchEvent(new Event('load'))
    }
  }
}

afterEach(() => vi.unstubAllGlobals())

test('the error of a refused upload contains the maximum size', async () => {
  const response = { kind: 'badBodySize', message: 'Too large.', data: { maxSize: 1_048_576 } }
  vi.stubGlobal('XMLHttpRequest', answering(413, response))
  const failure = await uploadFile(new File(['x'], 'x.png')).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(RequestFailure)
  expect(failure).toMatchObject({ kind: 'badBodySize', status: 413, data: { maxSize: 1_048_576 } })
})
