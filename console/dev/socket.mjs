// The server's side of a WebSocket, as far as an event stream needs it: text out, nothing in.
import crypto from 'node:crypto'

export function accept(request, socket) {
  const key = crypto.createHash('sha1').update(request.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64')
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`)
  socket.on('error', () => {})
  return {
    send(value) {
      const text = Buffer.from(JSON.stringify(value))
      const head = text.length < 126 ? [0x81, text.length] : text.length < 65536 ? [0x81, 126, text.length >> 8, text.length & 255] : null
      if (head) return socket.write(Buffer.concat([Buffer.from(head), text]))
      const long = Buffer.alloc(10)
      long[0] = 0x81
      long[1] = 127
      long.writeBigUInt64BE(BigInt(text.length), 2)
      socket.write(Buffer.concat([long, text]))
    },
    close(code) {
      socket.end(Buffer.from([0x88, 2, code >> 8, code & 255]))
    },
    onClose: listener => socket.on('close', listener),
  }
}
