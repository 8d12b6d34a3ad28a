/// A program that uses a store until something goes wrong: it is killed, the disk is full, other processes use the same
/// store, or it forks. Tests run it and check the result.
///
/// Every command writes each line to standard output with one write(2), so a line counts even if the program is killed
/// immediately afterwards.
@main
struct StoreTorture {
    static func main() {
        var arguments = Arguments(CommandLine.arguments.dropFirst())
        do {
            if arguments.take("--as-nobody") { CurrentProcess.dropPrivileges() }
            try arguments.takeStore()
            switch try arguments.text("command") {
            case "crash": try CrashCommand(&arguments).run()
            case "count": try CountCommand(&arguments).run()
            case "grow": try GrowCommand(&arguments).run()
            case "hold": try HoldCommand(&arguments).run()
            case "fill": try FillCommand(&arguments).run()
            case "first": try FirstSaveCommand(&arguments).run()
            case "cycle": try CycleCommand(&arguments).run()
            case "lock": try LockCommand(&arguments).run()
            case "saves": try SavesCommand(&arguments).run()
            case "costs": try CostsCommand(&arguments).run()
            case "fork": try ForkCommand(&arguments).run()
            case "open": try OpenCommand(&arguments).run()
            case "migrate": try MigrateCommand(&arguments).run()
            case "unique": try UniqueCommand(&arguments).run()
            case "references": try ReferencesCommand(&arguments).run()
            case "share": try ShareCommand(&arguments).run()
            case "outcomes": try OutcomesCommand(&arguments).run()
            case "list": try ListCommand(&arguments).run()
            #if Sealing
            case "seal": try SealCommand(&arguments).run()
            #endif
            case let command: throw Arguments.Problem(description: "the command \(command) is unknown")
            }
        } catch {
            Output.line("failed \(error)")
            CurrentProcess.exit(1)
        }
    }
}
