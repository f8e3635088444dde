package axiom;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles a program and its tests in memory and runs the tests, all in one process inside the sandbox.
 *
 * Arguments: main, junit or build; the class path; then the classes to start (main, junit) or the result's file (build).
 * Standard input: the nonce, then the names of the source files, a line each.
 */
public final class Harness {
    static final String PROGRAMS = "programs";
    private static final int ERRORS_KEPT = 20;

    private Harness() {}

    public static void main(String[] arguments) throws Exception {
        String[] told = new String(System.in.readAllBytes(), StandardCharsets.UTF_8).split("\n");
        System.setIn(InputStream.nullInputStream());
        Cases.open(told[0]);
        Map<String, byte[]> classes = new TreeMap<>();
        if (compile(Arrays.asList(told).subList(1, told.length), arguments[1], classes)) {
            Programs programs = new Programs(classes);
            if (arguments[0].equals("build")) {
                write(classes, programs, arguments[2]);
            } else {
                List<String> starts = Arrays.asList(arguments).subList(2, arguments.length);
                boolean byJUnit = arguments[0].equals("junit");
                Thread thread = new Thread(null, () -> start(byJUnit, starts, programs), "main", 16L << 20);
                thread.setContextClassLoader(programs);
                thread.start();
                thread.join();
            }
        }
        System.out.flush();
        System.err.flush();
        Cases.record("end");
        if (Boolean.getBoolean("axiom.exits")) {
            System.exit(0); // only an orderly end writes the archive of classes
        }
        // Threads and exit handlers of the program do not get to run.
        Runtime.getRuntime().halt(0);
    }

    private static void start(boolean byJUnit, List<String> starts, Programs programs) {
        if (byJUnit) {
            JUnit.run(starts, programs);
        } else {
            runMain(starts.get(0), programs);
        }
    }

    private static void runMain(String name, Programs programs) {
        long began = System.nanoTime();
        Cases.begin();
        Throwable error = null;
        try {
            Method main = programs.loadClass(name).getDeclaredMethod("main", String[].class);
            main.setAccessible(true);
            main.invoke(null, (Object) new String[0]);
        } catch (InvocationTargetException wrapped) {
            error = wrapped.getCause();
        } catch (Throwable other) {
            error = other;
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        if (error == null) {
            if (Cases.settled() == 0) {
                Cases.record("case", "main", "passed", null, null, "", seconds);
            }
        } else if (!(error instanceof AssertionError) || Cases.allHold()) {
            String outcome = error instanceof AssertionError ? "failed" : "error";
            Cases.record("case", "main", outcome, null, null, Cases.described(error), seconds);
        }
    }

    private static boolean compile(List<String> names, String path, Map<String, byte[]> classes) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        StandardJavaFileManager files = compiler.getStandardFileManager(found, Locale.ROOT, StandardCharsets.UTF_8);
        List<String> options = List.of("-proc:none", "-nowarn", "-g", "-implicit:none", "-cp", path);
        List<File> sources = new ArrayList<>();
        names.forEach(name -> sources.add(new File(name)));
        boolean done = false;
        String trouble = "";
        try {
            done = compiler.getTask(
                null, new InMemory(files, classes), found, options, null, files.getJavaFileObjectsFromFiles(sources)).call();
        } catch (Throwable error) {
            // The compiler itself gives up on some programs, such as expressions nested too deeply for its stack.
            trouble = "the compiler failed: " + error.getClass().getSimpleName();
        }
        if (!done) {
            StringBuilder errors = new StringBuilder(trouble);
            found.getDiagnostics().stream().filter(one -> one.getKind() == Diagnostic.Kind.ERROR).limit(ERRORS_KEPT)
                .forEach(one -> errors.append(line(one)));
            Cases.record("broken", "build", errors.toString());
        }
        return done;
    }

    private static String line(Diagnostic<? extends JavaFileObject> error) {
        String name = error.getSource() == null ? "" : new File(error.getSource().getName()).getPath();
        String words = error.getMessage(Locale.ROOT).strip().replaceAll("\\s*\n\\s*", ", ").replaceAll("\\s+", " ");
        return name + ":" + error.getLineNumber() + ": " + words + "\n";
    }

    private static void write(Map<String, byte[]> classes, Programs programs, String target) throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        for (String name : classes.keySet()) {
            if (hasMain(programs, name)) {
                manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, name);
                break;
            }
        }
        try (JarOutputStream jar = new JarOutputStream(new FileOutputStream(target), manifest)) {
            for (Map.Entry<String, byte[]> one : classes.entrySet()) {
                jar.putNextEntry(new ZipEntry(one.getKey().replace('.', '/') + ".class"));
                jar.write(one.getValue());
            }
        }
    }

    private static boolean hasMain(Programs programs, String name) {
        try {
            Method main = Class.forName(name, false, programs).getDeclaredMethod("main", String[].class);
            return java.lang.reflect.Modifier.isStatic(main.getModifiers());
        } catch (ReflectiveOperationException | LinkageError error) {
            return false;
        }
    }

    /** The compiled classes. */
    private static final class Programs extends ClassLoader {
        private final Map<String, byte[]> classes;

        Programs(Map<String, byte[]> classes) {
            super(PROGRAMS, Harness.class.getClassLoader());
            this.classes = classes;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] code = classes.get(name);
            if (code == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, code, 0, code.length);
        }
    }

    /** Keeps what the compiler writes. */
    private static final class InMemory extends ForwardingJavaFileManager<StandardJavaFileManager> {
        private final Map<String, byte[]> classes;

        InMemory(StandardJavaFileManager files, Map<String, byte[]> classes) {
            super(files);
            this.classes = classes;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/')), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return new ByteArrayOutputStream() {
                        @Override
                        public void close() {
                            classes.put(name, toByteArray());
                        }
                    };
                }
            };
        }
    }
}
