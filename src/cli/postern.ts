#!/usr/bin/env node
// Nothing but the version check may stand here: an old Node must get as far as the sentence below.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

// `postern … | head` closes the pipe early, which is no fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

if (major > 20 || (major === 20 && minor >= 19)) {
  const { main } = await import("./main.js");
  process.exitCode = await main(process.argv.slice(2));
} else {
  process.stderr.write(
    `postern needs Node.js 20.19 or newer, and this is ${process.versions.node}; install a newer one and run it again.\n`,
  );
  process.exitCode = 2;
}

export {};
