import { useState } from 'react'
import { useText } from '../../../text/catalogue.ts'
import { FileDrop } from '../../../ui/upload/file-drop.tsx'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { importedFrom, type Imported } from '../exported.ts'
import { newSecret } from '../scoring/new-secret.ts'
import { words } from '../words.ts'
import { ImportReview } from './import-review.tsx'

/** Far more than a challenge says. */
const MOST_BYTES = 4 * 1024 * 1024

interface ImportDialogProps {
  readonly open: boolean
  readonly onClose: () => void
}

/** Takes one exported challenge, finds its files, and shows what would change before anything is written. */
export function ImportDialog({ open, onClose }: ImportDialogProps) {
  const text = useText(words)
  const [imported, setImported] = useState<Imported | null>(null)
  const [isBroken, setBroken] = useState(false)
  const close = () => {
    setImported(null)
    setBroken(false)
    onClose()
  }
  const read = async ([file]: readonly File[]) => {
    if (!file) return
    const found = importedFrom(await file.text(), newSecret())
    setImported(found)
    setBroken(found === null)
  }
  return (
    <Dialog open={open} onClose={close} title={text.importTitle} size="large">
      {imported ? (
        <ImportReview imported={imported} onDone={close} />
      ) : (
        <>
          <p>{text.importAbout}</p>
          <FileDrop
            label={text.importFile}
            accept=".json,application/json"
            maxSize={MOST_BYTES}
            onFiles={(files) => void read(files)}
          />
          {isBroken && <p role="alert">{text.importBroken}</p>}
        </>
      )}
    </Dialog>
  )
}
