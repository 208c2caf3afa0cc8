// How a backend signs a push (contract, participant 12). The secret comes from its environment, not from the sample.

export function curlSample(address: string): string {
  return `body='{"scores":[{"userId":"<team id>","points":120}]}'
timestamp=$(date +%s%3N)
signature=$(printf '%s' "$timestamp.$body" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1)
curl '${address}' \\
  -H "X-SVC-Timestamp: $timestamp" -H "X-SVC-Signature: sha256=$signature" --data-binary "$body"
`
}

export function pythonSample(address: string): string {
  return `import hashlib, hmac, json, os, time, urllib.request

body = json.dumps({"scores": [{"userId": "<team id>", "points": 120}]}).encode()
timestamp = str(int(time.time() * 1000))
signed = timestamp.encode() + b"." + body
signature = hmac.new(os.environ["SECRET"].encode(), signed, hashlib.sha256).hexdigest()
request = urllib.request.Request(
    ${JSON.stringify(address)},
    data=body,
    headers={"X-SVC-Timestamp": timestamp, "X-SVC-Signature": f"sha256={signature}"},
)
print(urllib.request.urlopen(request).read().decode())
`
}
