import { useEffect, useRef, useState } from 'react'
import { RequestFailure } from '../../api/failure.ts'
import { uploadFile } from '../../api/upload.ts'
import { useMay } from '../../api/use-contest.ts'
import { useText } from '../../text/catalogue.ts'
import { useErrorText } from '../../text/errors.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { FileInput } from '../../ui/upload/file-input.tsx'
import styles from './settings.module.css'
import { words } from './words.ts'

/** Every visitor loads these pictures, many at the same moment. */
const MOST_BYTES = 1_000_000

interface UploadPictureProps {
  /** What it will be, for the name of the button. */
  readonly name: string
  readonly onStored: (address: string) => void
}

/** Stores a picture of this device with the contest's files, and gives its address. For those who may. */
export function UploadPicture({ name, onStored }: UploadPictureProps) {
  const text = useText(words)
  const errorText = useErrorText('once')
  const mayWrite = useMay('challsWrite')
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const left = useRef(new AbortController())
  // The form may have changed while the picture was on its way.
  const stored = useRef(onStored)
  useEffect(() => {
    stored.current = onStored
  })
  useEffect(() => {
    const abort = new AbortController()
    left.current = abort
    return () => abort.abort()
  }, [])
  if (!mayWrite) return null
  const take = async (file: File) => {
    if (file.size > MOST_BYTES) return setFailure(text.largePicture(file.name))
    setBusy(true)
    setFailure(null)
    try {
      const { url } = await uploadFile(file, { signal: left.current.signal })
      stored.current(url)
    } catch (error) {
      if (!left.current.signal.aborted)
        setFailure(error instanceof RequestFailure ? errorText(error) : text.unreadable)
    }
    setBusy(false)
  }
  return (
    <div className={styles.actions}>
      <FileInput ref={input} accept="image/*" onFiles={([file]) => file && void take(file)} />
      <Button
        icon="upload"
        busy={isBusy}
        aria-label={text.uploadOf(name)}
        onClick={() => input.current?.click()}
      >
        {text.upload}
      </Button>
      <span role="alert">{failure}</span>
    </div>
  )
}
