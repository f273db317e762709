// What:   no flow anywhere.

out vec4 out_flow;

void main() {
    out_flow = vec4(0.0);
}
