/** An error about the form as a whole. The element is always rendered, so that screen readers announce it. */
export function FailureLine({ children }: { readonly children: string | undefined }) {
  return (
    <div role="alert" className="pn-bad">
      {children}
    </div>
  )
}
